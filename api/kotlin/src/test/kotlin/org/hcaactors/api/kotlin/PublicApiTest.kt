// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.io.File
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/**
 * The public API equals the committed `public.api` files, so that every change of it shows in a diff. `-Dapi.write=true` writes
 * the files; the reviewer of the diff decides whether the change is acceptable for callers.
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

    private fun isTheReviewed(file: File, classes: File) {
        val now = PublicApi.of(classes)
        assertThat(now.entries).hasSizeGreaterThan(5)
        if (java.lang.Boolean.getBoolean("api.write")) {
            file.writeText(now.text)
        }
        val reviewed = PublicApi(if (file.exists()) file.readText() else "")
        assertThat(reviewed.entries - now.entries).`as`("removed or changed; -Dapi.write=true writes it to $file").isEmpty()
        assertThat(now.entries - reviewed.entries).`as`("added; -Dapi.write=true writes it to $file").isEmpty()
    }
}
