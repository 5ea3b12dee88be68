#!/usr/bin/env bats
# scripts/mutate: which faults fit a piece of C code. Planting them takes builds, and is not tried here.

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# faults [KIND]: the faults that fit the code on standard input, each as the changed line.
faults() {
	PYTHONPATH=$root/scripts python3 -S -c '
import sys, mutate_faults as m
text = sys.stdin.read()
kinds = (m.weakened_orders,) if sys.argv[1:] else m.LOGIC
for fault in m.faults_in("x.c", text, kinds):
    changed = fault.apply(text).split("\n")
    line = next(new for old, new in zip(text.split("\n"), changed) if old != new)
    print(fault.operator + ":", *line.split())' "$@"
}

@test "conditions: operands dropped, comparisons changed" {
	run faults <<-'C'
		static int f(int a)
		{
			return a < 1 && g(a, b || c);
		}
	C
	echo "$output"
	diff - <<<"$output" <(cat <<-'TEXT'
		left operand dropped: return g(a, b || c);
		< became <=: return a <= 1 && g(a, b || c);
		right operand dropped: return a < 1 ;
		left operand dropped: return a < 1 && g(a, c);
		right operand dropped: return a < 1 && g(a, b );
	TEXT
	)
}

@test "statements: calls and assignments dropped, values changed" {
	run faults <<-'C'
		bool f(struct x *a)
		{
			g(a);
			a->b = c + 1;
			if (!a)
				return true;
		}
	C
	echo "$output"
	diff - <<<"$output" <(cat <<-'TEXT'
		call dropped: (void)0;
		assignment dropped: (void)0;
		+ 1 became nothing: a->b = c;
		! became nothing: if (a)
		return true became return false: return false;
	TEXT
	)
}

@test "nothing fits comments, strings, the preprocessor, types and declarations" {
	run faults <<-'C'
		#define A(x) ((x) && 1)
		/* a && b */
		struct x { int a; };
		static const char *const names[] = {"a == b"};
		static void f(void)
		{
			// a || b
			int a = g("a < b");
		}
	C
	[[ -z $output ]]
}

@test "orders of atomics: each one that orders anything" {
	run faults orders <<-'C'
		static void f(void)
		{
			__atomic_store_n(&a, 1, __ATOMIC_RELEASE);
			__atomic_load_n(&a, __ATOMIC_RELAXED);
		}
	C
	[[ $output == "release became relaxed: __atomic_store_n(&a, 1, __ATOMIC_RELAXED);" ]]
}

@test "a file that is not there: one line, status 2" {
	run -2 "$root/scripts/mutate" --at core/nothing.c:3
	[[ $output == "mutate: core/nothing.c: No such file or directory" ]]
}
