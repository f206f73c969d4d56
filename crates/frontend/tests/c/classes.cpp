// C++: classes, templates, constructors, exceptions that are not thrown.
#include <cstdio>
#include <cstdlib>
struct shape { virtual int area() const = 0; virtual ~shape() { printf("~shape\n"); } };
struct square : shape { int a; square(int a) : a(a) {} int area() const override { return a * a; } ~square() { printf("~square %d\n", a); } };
struct rect : shape { int a, b; rect(int a, int b) : a(a), b(b) {} int area() const override { return a * b; } };
template <class T> struct list { T *data = nullptr; int n = 0, cap = 0; void push(T x) { if (n == cap) { cap = cap ? cap * 2 : 2; T *d = new T[cap]; for (int i = 0; i < n; i++) d[i] = data[i]; delete[] data; data = d; } data[n++] = x; } ~list() { delete[] data; } };
static square global(7);
static int counter() { static int c = 5; return c++; }
int sum(int a, int b = 3) { return a + b; }
namespace n { enum class color { red = 2, green }; constexpr int f(int x) { return x < 2 ? 1 : x * f(x - 1); } }
int main() {
    list<shape *> l; l.push(new square(3)); l.push(new rect(2, 5)); l.push(new square(4));
    int t = 0; for (int i = 0; i < l.n; i++) t += l.data[i]->area();
    printf("%d %d %d %d\n", t, counter() + counter(), sum(4), n::f(5) + (int)n::color::green);
    for (int i = 0; i < l.n; i++) delete l.data[i];
    auto add = [t](int x) { return x + t; }; printf("%d\n", add(1));
    try { if (t > 1000) throw 3; printf("fine\n"); } catch (int x) { printf("caught\n"); }
    return 0;
}
