# Makes calls.h (-v language=c) or Calls.java (-v language=java) of calls.table; -v digest is a number that stands for the table's text.

function fail(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	failed = 1
	exit 1
}

function camel(name,   n, i, parts, out) {
	n = split(name, parts, "_")
	for (i = 1; i <= n; i++) out = out toupper(substr(parts[i], 1, 1)) substr(parts[i], 2)
	return out
}

# A group is a Java class of constants, and a prefix in C.
function open_group(name, what) {
	close_group()
	group = name
	if (language == "java") printf "\n    /** %s */\n    static final class %s {\n", what, camel(name)
	else printf "\n/* %s */\n", what
}

function close_group() {
	if (group == "") return
	if (kind == "record") {
		if (at % 8) fail(group " is no multiple of 8 bytes")
		end_record()
	} else if (kind == "words" || kind == "call") {
		number("words", at)
	}
	if (language == "java") printf "\n        private %s() {}\n    }\n", camel(group)
	if (kind == "words") size[group] = at
	group = ""
}

function number(name, value) {
	if (language == "java") printf "        static final int %s = %s;\n", toupper(name), value
	else printf "#define %s_%s %s\n", toupper(group), toupper(name), value
}

function place(word,   name, of) {
	of = ""
	name = word
	if (word ~ /=/) {
		name = substr(word, 1, index(word, "=") - 1)
		of = substr(word, index(word, "=") + 1)
		if (!(of in size)) fail("no block " of)
	} else if (word ~ /\[/) {
		name = substr(word, 1, index(word, "[") - 1)
		of = substr(word, index(word, "[") + 1) + 0
	}
	if ((group, name) in seen) {
		if (came_out != group || of != "" || seen[group, name] == "out") fail("twice: " name)
		seen[group, name] = "out"
		return
	}
	seen[group, name] = came_out == group ? "out" : "in"
	number(name, at)
	at += of == "" ? 1 : (of in size) ? size[of] : of
}

function end_record(   i) {
	if (language == "java") {
		printf "        static final int BYTES = %d;\n", at
		return
	}
	printf "struct %s_record {\n%s};\n", group, fields
	printf "_Static_assert(sizeof(struct %s_record) == %d, \"%s\");\n", group, at, group
}

function field(bytes, name) {
	if (at % bytes) fail(name " is not aligned")
	offset[group, name] = at
	if (language == "java") printf "        static final int %s = %d;\n", toupper(name), at
	else fields = fields "\t" (last = "uint" bytes * 8 "_t") " " name ";\n"
	at += bytes
}

# `long(long address, heap source)` as C declares a pointer to it
function pointer(name, signature,   result, inside, n, i, part, word, out) {
	result = substr(signature, 1, index(signature, "(") - 1)
	inside = substr(signature, index(signature, "(") + 1)
	sub(/\)$/, "", inside)
	n = split(inside, part, ", ")
	for (i = 1; i <= n; i++) {
		split(part[i], word, " ")
		out = out (i > 1 ? ", " : "") c_type(word[1]) word[2]
	}
	sub(/ $/, "", out)
	result = c_type(result)
	sub(/ $/, "", result)
	return result " (*" name ")(" (n ? out : "void") ");"
}

function c_type(word) {
	if (word == "long") return "int64_t "
	if (word == "address" || word == "heap") return "void *"
	return word " "
}

# The functions of the ABI, by call
function serve(   i) {
	print "\n    /** The function of the ABI that a call serves, or \"\". */\n    static String function(int call) {\n        return switch (call) {"
	for (i = 0; i < 256; i++) if (i in served) printf "            case %d -> \"%s\";\n", i, served[i]
	print "            default -> \"\";\n        };\n    }"
}

BEGIN {
	if (language == "java") {
		print "package org.hcaactors.verbs;\n"
		print "/** Numbers that the C side and the Java side share, made of calls.table. */"
		print "final class Calls {"
		printf "    /** What stands for the table's text: both sides must be made of the same. */\n    static final long DIGEST = %sL;\n", digest
	} else {
		print "/* What the C side and the Java side share; made of calls.table. */"
		print "#ifndef HCA_VERBS_CALLS_H\n#define HCA_VERBS_CALLS_H\n#include <infiniband/mlx5dv.h>\n#include <infiniband/verbs.h>\n#include <stdint.h>\n"
		printf "#define CALLS_DIGEST %sLL\n", digest
	}
}

/^[ \t]*#/ || /^[ \t]*$/ { next }

$1 == "constant" {
	close_group()
	if (language == "java") printf "\n    static final int %s = %s;\n", $2, $3
	else printf "#define %s %s\n", $2, $3
	next
}

$1 == "block" { open_group($2, "Words " $2 "."); kind = "words"; at = 0; next }
$1 == "record" { open_group($2, "Bytes of a record " $2 "."); kind = "record"; at = 0; fields = ""; next }

$1 == "enum" { open_group($3, "Numbers " $2 "."); kind = "enum"; prefix = $2; next }

$1 == "value" {
	if (kind != "enum") fail("no numbers here")
	if (language == "java") number($2, $3)
	else if (prefix == "OWN_") printf "#define %s_%s %s\n", toupper(group), toupper($2), $3
	else printf "_Static_assert((unsigned int)%s%s == %s, \"%s\");\n", prefix, toupper($2), $3, $2
	next
}

$1 == "call" {
	if (NF != 4) fail("a call has a number, a name and a function")
	served[$2] = $4
	if ($2 in used) fail("number " $2 " is used twice")
	used[$2] = 1
	open_group($3, "Words of the call " $3 ".")
	kind = "call"
	at = 0
	number("call", $2)
	next
}

$1 == "in" && came_out == group && group != "" { fail("in after out") }
$1 == "word" || $1 == "in" || $1 == "out" {
	if (kind != "words" && kind != "call") fail("no words here")
	if ($1 == "out") came_out = group
	for (i = 2; i <= NF; i++) place($i)
	next
}

$1 == "u32" || $1 == "u64" { field(substr($1, 2) / 8, $2); next }

$1 == "at" {
	if (!((group, $2) in offset)) fail("no field " $2)
	if (language == "java") printf "        static final int %s = %d;\n", toupper($3), offset[group, $2]
	else if (!sub(last_field($2), "union { uint64_t " $2 "; uint64_t " $3 "; };", fields)) fail("no field of eight bytes: " $2)
	next
}

function last_field(name) { return "uint64_t " name ";" }

$1 == "upcall" || $1 == "routine" {
	close_group()
	signature = $0
	sub(/^[a-z]+ [0-9]+ [a-z_0-9]+ /, "", signature)
	if ($2 != functions[$1] + 0) fail($1 "s are not in order")
	functions[$1]++
	pointers[$1] = pointers[$1] "\t" pointer($3, signature) "\n"
	if (language == "java") printf "\n    /** {@code %s}. */\n    static final int %s_%s = %d;\n", signature, toupper($1), toupper($3), $2
	next
}

{ fail("not understood: " $0) }

END {
	if (failed) exit 1
	close_group()
	if (language == "java") {
		serve()
		printf "\n    static final int UPCALLS = %d;\n    static final int ROUTINES = %d;\n\n    private Calls() {}\n}\n", functions["upcall"], functions["routine"]
	} else {
		printf "\nstruct upcalls {\n%s};\n\nstruct routines {\n%s};\n\n#endif\n", pointers["upcall"], pointers["routine"]
	}
}
