//! --checks assert --opt 0 --globals
// Initial contents with addresses and padding.
struct node { char c; struct node *next; double d; } second = {'b', 0, 2.5}, first = {'a', &second, 1.5};
int numbers[6] = {1, [3] = 4};
static const char *const words[] = {"one", "two" + 1};
extern int elsewhere;
static int (*handler)(void);
int main(void) { return first.c + numbers[2] + *words[1] + elsewhere + (handler != 0) + second.c; }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note external objects that nothing defines have any contents
//; global @first size 24 align 8 external var x0 = bytes "a" zero 7 ptr @second bytes "\00\00\00\00\00\00\f8?"
//; global @numbers size 24 align 16 external var x1 = bytes "\01\00\00\00\00\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\00\00\00\00"
//; global @words size 16 align 16 constant var x2 = ptr @.str ptr @.str.1+1
//; global @elsewhere size 4 align 4 external = any 4
//; global @handler size 8 align 8 var x3 = zero 8
//; global @second size 24 align 8 external var x4 = bytes "b" zero 15 bytes "\00\00\00\00\00\00\04@"
//; global @.str size 4 align 1 constant = bytes "one\00"
//; global @.str.1 size 4 align 1 constant = bytes "two\00"
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 4 align 4
//;     store.i32 v0, 0 align 4
//;     v1 = load.i8 @first align 8
//;     v2 = sext.i8.i32 v1
//;     v3 = load.i32 @numbers+8 align 8
//;     v4 = add.i32 v2, v3
//;     v5 = load.ptr @words+8 align 8
//;     v6 = load.i8 v5
//;     v7 = sext.i8.i32 v6
//;     v8 = add.i32 v4, v7
//;     v9 = load.i32 @elsewhere align 4
//;     v10 = add.i32 v8, v9
//;     v11 = load.ptr @handler align 8
//;     v12 = ne.ptr v11, null
//;     v13 = zext.i1.i32 v12
//;     v14 = add.i32 v10, v13
//;     v15 = load.i8 @second align 8
//;     v16 = sext.i8.i32 v15
//;     v17 = add.i32 v14, v16
//;     return v17
//; }
