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

@test "--near: only tests whose programs, or other built files, differ because of the fault are run" {
	cp "$root/scripts/mutate" "$BATS_TEST_TMPDIR/mutate.py"
	cd "$BATS_TEST_TMPDIR"
	mkdir -p build/bin
	touch build/bin/{a,ab,c} build/data
	PYTHONPATH=$root/scripts python3 -S - "$PWD/build" <<-'PYTHON'
		import json, re, sys, types
		import mutate
		build = sys.argv[1]
		commands = {
		    "unit/a": [f"{build}/bin/a"],
		    "unit/ab": ["sh", "-c", f"'{build}/bin/ab' <'{build}/data' | cat"],
		    "model/c-one": [f"{build}/bin/c", "one"],
		    "unit/none": [f"{build}", f"{build}/missing"],
		}
		tree = mutate.Tree(build)
		tree.build = build
		shown = json.dumps({"tests": [{"name": name, "command": command} for name, command in commands.items()]})
		tree.run = lambda *command: types.SimpleNamespace(stdout=shown)
		ran = []
		tree.test = lambda arguments, limit: ran.append(arguments[1]) or "unit/first"
		sound = tree.programs()
		def near(*changed):
		    for path in changed:
		        with open(f"{build}/{path}", "a") as file:
		            file.write("fault")
		    ran.clear()
		    test, number = mutate.test_near(tree, sound)
		    names = [name for name in commands if ran and re.search(ran[0], name)]
		    assert number == len(names) and (test == "unit/first") == bool(names)
		    return names
		assert near() == []
		assert near("bin/a") == ["unit/a"]
		assert near("data") == ["unit/a", "unit/ab"]
		assert near("bin/c") == ["unit/a", "unit/ab", "model/c-one"]
	PYTHON
}
