// The call is the error, whatever the function does.
// checks: reach
// violates: reach
void reach_error(void) {}
int main(void) {
    reach_error();
    return 0;
}
