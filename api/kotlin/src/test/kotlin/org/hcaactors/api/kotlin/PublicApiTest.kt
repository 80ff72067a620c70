// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.io.File
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/**
 * The public API is the one that was reviewed. What is added to it shows in the diff of `public.api`; what goes from it, or
 * changes, breaks callers, so a point of the changelog's first chapter must name it in backticks, a member beside its type.
 * With `-Dapi.write=true` the files are written anew, once the changelog is complete.
 */
class PublicApiTest {
    @Test
    fun `the API is the one that was reviewed`() = isTheReviewed(File("../public.api"), File("../target/classes"))

    @Test
    fun `the client's API is the one that was reviewed`() =
        isTheReviewed(File("../client/public.api"), File("../client/target/classes"))

    @Test
    fun `the meters' API is the one that was reviewed`() =
        isTheReviewed(File("../micrometer/public.api"), File("../micrometer/target/classes"))

    @Test
    fun `Kotlin's API is the one that was reviewed`() = isTheReviewed(File("public.api"), File("target/classes"))

    @Test
    fun `a type that goes takes its members with it`() {
        val before = PublicApi("public final class a/Box\$Lid {\n\tpublic final fun open ()V\n}\n")
        val open = "public final fun open ()V"
        assertThat(untold(before, NOTHING, "Lid and Box are gone")).containsExactly("public final class a/Box\$Lid", open)
        assertThat(untold(before, NOTHING, "`open` is gone")).contains(open)
        assertThat(untold(before, NOTHING, "`Box.Lid` is gone")).isEmpty()
        assertThat(untold(before, NOTHING, "`Box` is gone")).isEmpty()
        val box = PublicApi("public final class a/Box {\n}\n")
        assertThat(untold(PublicApi(before.text + box.text), box, "`Box` has no more lids")).hasSize(2)
    }

    @Test
    fun `a member that goes is told by its name beside its type's`() {
        val box = "public final class a/Box {\n"
        val before = PublicApi("$box\tpublic fun <init> ()V\n\tpublic final fun open ()V\n\tpublic final fun hashCode ()I\n}\n")
        val after = PublicApi("$box\tpublic final fun open (I)V\n}\n")
        val (make, open, hash) = before.entries.map { it.what }.drop(1)
        assertThat(untold(before, after, "- `Box` can open and shut")).containsExactly(make, open, hash)
        assertThat(untold(before, after, "- `Box` has a lid\n- `Bottle` can `open`")).containsExactly(make, open, hash)
        assertThat(untold(before, after, "- `Box.open` takes an angle")).containsExactly(make, hash)
        assertThat(untold(before, after, "- `Box` has no public constructor")).containsExactly(open, hash)
        assertThat(untold(after, after, "")).isEmpty()
    }

    @Test
    fun `what every object has is told with its type`() {
        val before = PublicApi("public final class a/Box : java/lang/Record {\n\tpublic final fun hashCode ()I\n}\n")
        val after = PublicApi("public final class a/Box {\n\tpublic fun hashCode ()I\n}\n")
        assertThat(untold(before, after, "- `Box` is no record")).isEmpty()
        assertThat(untold(before, after, "- `Lid` is no record")).hasSize(1)
    }

    @Test
    fun `a function outside of types is told as Kotlin's`() {
        val before = PublicApi("public final class a/LidsKt {\n\tpublic static final fun open (La/Box;)V\n}\n")
        val after = PublicApi("public final class a/LidsKt {\n}\n")
        assertThat(untold(before, after, "- `open` is gone")).hasSize(1)
        assertThat(untold(before, after, "### Kotlin\n\n- `open` is gone")).isEmpty()
    }

    @Tag("nightly")
    @Test
    fun `few members of today's could go by chance`() {
        val today = PublicApi(File("../public.api").readText() + File("../client/public.api").readText())
        val lines = today.text.lines()
        val members = lines.indices.filter { lines[it].startsWith('\t') }
        val free = members.filter { gone ->
            val tomorrow = PublicApi(lines.filterIndexed { line, _ -> line != gone }.joinToString("\n"))
            PublicApi.untold(today, tomorrow, chapter(), ::exists).isEmpty()
        }
        assertThat(free.map { lines[it] }).hasSizeLessThan(members.size / 8)
    }

    @Test
    fun `a type that moved is told once, and not for each signature with it`() {
        val before = PublicApi("public final class a/Box {\n\tpublic final fun lock (La/Key;)V\n}\n")
        val after = PublicApi("public final class a/Box {\n\tpublic final fun lock (Lb/Key;)V\n}\n")
        assertThat(untold(before, after, "`Key` stands in b") { it != "a/Key" }).isEmpty()
        assertThat(untold(before, after, "`Key` opens more") { true }).hasSize(1)
    }

    private fun untold(before: PublicApi, after: PublicApi, points: String, exists: (String) -> Boolean = { true }) =
        PublicApi.untold(before, after, "1.0\n\n### Boxes\n\n$points", exists).map { it.what }

    private fun isTheReviewed(file: File, classes: File) {
        val now = PublicApi.of(classes)
        assertThat(now.entries).hasSizeGreaterThan(5)
        val before = PublicApi(if (file.exists()) file.readText() else "")
        if (java.lang.Boolean.getBoolean("api.write")) {
            assertThat(PublicApi.untold(before, now, chapter(), ::exists))
                .`as`("gone, and not in the changelog's first chapter")
                .isEmpty()
            file.writeText(now.text)
            return
        }
        assertThat(before.entries - now.entries).`as`("gone or changed; see this test's comment").isEmpty()
        assertThat(now.entries - before.entries).`as`("new; -Dapi.write=true writes it to $file").isEmpty()
    }

    private fun chapter() = File("../../CHANGELOG.md").readText().split("\n## ")[1]

    private fun exists(internalName: String) = runCatching { Class.forName(internalName.replace('/', '.')) }.isSuccess

    private companion object {
        val NOTHING = PublicApi("")
    }
}
