# Makes of lists of symbols (name@@VERSION or name@VERSION, and what it returns; VERSION has OTHER):
#   -v what=names   the symbols with their versions, as nm prints them
#   -v what=map     a version script; -v own=VERSION adds a version with the names in -v names="a b"
#   -v what=stubs   functions that refuse, for names that are not in -v written=FILE (one a line)

BEGIN {
	if (what == "stubs") {
		while ((getline line < written) > 0) have[line] = 1
		print "/* Made of the list of symbols: what the model does not have. */"
		print "#include <errno.h>\n#include <stdbool.h>\n"
	}
}

/^#/ || NF == 0 { next }

# The same functions by a version more.
$2 == "has" {
	version_seen($1)
	count = split(members[$3], list, " ")
	for (i = 1; i <= count; i++) {
		split(list[i], member, "/")
		again(member[1], $1, member[2])
	}
	next
}

{
	at = index($1, "@")
	name = substr($1, 1, at - 1)
	version = substr($1, at)
	current = version ~ /^@@/
	sub(/^@+/, "", version)
	version_seen(version)
	members[version] = members[version] " " name "/" $2
	if (what == "names") print $1
	if (current) globals[version] = globals[version] "\t" name ";\n"
	if (what == "stubs") {
		if (current && !(name in have)) stub(name, $2)
		# programs from before the ABI was what it is now
		if (!current) {
			old = local_name(name, version)
			stub(old, $2)
			printf "__asm__(\".symver %s, %s@%s, remove\");\n", old, name, version
		}
	}
}

function version_seen(version) {
	if (version in seen) return
	seen[version] = 1
	order[++versions] = version
}

function local_name(name, version) {
	name = name "_of_" version
	gsub(/[^a-zA-Z0-9_]/, "_", name)
	return name
}

function again(name, version, returns) {
	if (what == "names") print name "@" version
	if (what != "stubs") return
	symbol = local_name(name, version)
	if (returns == "data") stub(symbol, returns)
	else printf "__asm__(\".text\\n.globl %s\\n.type %s, @function\\n%s: jmp %s@PLT\");\n", symbol, symbol, symbol, name
	printf "__asm__(\".symver %s, %s@%s, remove\");\n", symbol, name, version
}

function stub(symbol, returns) {
	if (returns == "data") { printf "extern bool %s;\nbool %s __attribute__((visibility(\"default\")));\n", symbol, symbol; return }
	type = returns == "pointer" ? "void *" : returns == "fd" ? "int " : returns == "size" ? "long " : returns " "
	printf "%s%s(void);\n__attribute__((visibility(\"default\"))) %s%s(void)\n{\n\terrno = EOPNOTSUPP;\n", type, symbol, type, symbol
	if (returns == "pointer") print "\treturn 0;"
	else if (returns == "bool") print "\treturn false;"
	else if (returns == "int") print "\treturn EOPNOTSUPP;"
	else if (returns == "fd" || returns == "size") print "\treturn -1;"
	print "}\n"
}

# There is no `local: *`, which would hide the old names, too: what is not exported is compiled as hidden. Versions inherit in the order of the list; private ones stand alone.
END {
	if (what != "map") exit
	before = ""
	for (i = 1; i <= versions; i++) {
		version = order[i]
		printf "%s {\n", version
		if (globals[version] != "") printf "global:\n%s", globals[version]
		private = version ~ /PRIVATE/
		printf "}%s;\n", private || before == "" ? "" : " " before
		if (!private) before = version
	}
	if (own != "") {
		count = split(names, list, " ")
		printf "%s {\nglobal:\n", own
		for (i = 1; i <= count; i++) printf "\t%s;\n", list[i]
		print "};"
	}
}
