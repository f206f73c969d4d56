// A list whose nodes are freed while it is walked.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->next = list;
    node->value = value;
    return node;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    for (struct node *node = list; node != NULL; node = node->next)
        free(node);
    return 0;
}
