// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.io.File
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/**
 * The public API is the one that was reviewed. What is added to it shows in the diff of `public.api`; what goes from it, or
 * changes, breaks callers, so the changelog's first chapter must name the type or the member. With `-Dapi.write=true` the
 * files are written anew, once the changelog is complete.
 */
class PublicApiTest {
    @Test
    fun `the API is the one that was reviewed`() = isTheReviewed(File("../public.api"), File("../target/classes"))

    @Test
    fun `Kotlin's API is the one that was reviewed`() = isTheReviewed(File("public.api"), File("target/classes"))

    @Test
    fun `what goes is told by its type or by its member`() {
        val before = PublicApi("public final class a/Box\$Lid {\n\tpublic final fun open ()V\n\tpublic final fun shut ()V\n}\n")
        val after = PublicApi("public final class a/Box\$Lid {\n\tpublic final fun open (I)V\n}\n")
        assertThat(untold(before, after, "nothing")).containsExactly("public final fun open ()V", "public final fun shut ()V")
        assertThat(untold(before, after, "`open` takes an angle")).containsExactly("public final fun shut ()V")
        assertThat(untold(before, after, "`Box.Lid` is a slide")).isEmpty()
        assertThat(untold(after, after, "")).isEmpty()
    }

    @Test
    fun `a type that moved is told once, and not for each signature with it`() {
        val before = PublicApi("public final class a/Box {\n\tpublic final fun lock (La/Key;)V\n}\n")
        val after = PublicApi("public final class a/Box {\n\tpublic final fun lock (Lb/Key;)V\n}\n")
        assertThat(untold(before, after, "`Key` stands in b") { it != "a/Key" }).isEmpty()
        assertThat(untold(before, after, "`Key` opens more") { true }).hasSize(1)
    }

    private fun untold(before: PublicApi, after: PublicApi, changelog: String, exists: (String) -> Boolean = { true }) =
        PublicApi.untold(before, after, changelog, exists).map { it.what }

    private fun isTheReviewed(file: File, classes: File) {
        val now = PublicApi.of(classes)
        assertThat(now.entries).hasSizeGreaterThan(10)
        val before = PublicApi(if (file.exists()) file.readText() else "")
        if (java.lang.Boolean.getBoolean("api.write")) {
            val chapter = File("../../CHANGELOG.md").readText().split("\n## ")[1]
            assertThat(PublicApi.untold(before, now, chapter, ::exists))
                .`as`("gone, and not in the changelog's first chapter")
                .isEmpty()
            file.writeText(now.text)
            return
        }
        assertThat(before.entries - now.entries).`as`("gone or changed; see this test's comment").isEmpty()
        assertThat(now.entries - before.entries).`as`("new; -Dapi.write=true writes it to $file").isEmpty()
    }

    private fun exists(internalName: String) = runCatching { Class.forName(internalName.replace('/', '.')) }.isSuccess
}
