// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

class CatalogueInKotlinTest {
    private val page = ProgramsPage(ProgramsPage.Language.KOTLIN, entries())

    @ParameterizedTest
    @MethodSource("entries")
    fun `its bug is found as the guide says`(entry: Entry) {
        page.assertFound(entry)
    }

    @ParameterizedTest
    @MethodSource("entries")
    fun `its right twin stays green`(entry: Entry) {
        assertThat(Trial.ofRight(entry).firstFailure(CatalogueTest.SEEDS_OF_TWINS)).isEmpty()
    }

    @Test
    fun `the guide's table names them all`() {
        page.assertComplete()
    }

    companion object {
        @JvmStatic
        fun entries(): List<Entry> =
            listOf(AnswerAfterTimeout.entry(), IndexBeforeData.entry(), JobTakenTwice.entry(), ThreadsOvertake.entry())
    }
}
