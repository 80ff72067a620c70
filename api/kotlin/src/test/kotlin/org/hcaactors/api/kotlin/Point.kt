// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import org.hcaactors.api.kotlin.PublicApi.Entry

/** A point of a changelog's chapter, with the heading above it. A name of the API is what stands in backticks. */
internal class Point(heading: String, text: String) {
    private val words = WORD.findAll("$heading $text").map { it.value }.toSet()
    private val names = QUOTED.findAll(text).flatMap { WORD.findAll(it.value) }.map { it.value }.toSet()

    /** The simple name of one of those types. */
    fun namesOneOf(types: List<String>) = types.any { simple(it) in names }

    /** The member beside its type, or a type that is still there, but another kind of type. */
    fun tellsOf(entry: Entry) = tellsOfType(entry.type) && tellsOfMember(entry.member)

    /** What stands in a Kotlin file, outside of any type, is Kotlin's. */
    private fun tellsOfType(type: String) = if (type.endsWith("Kt")) "Kotlin" in words else simple(type) in names

    private fun tellsOfMember(member: String?) =
        when (member) {
            null -> true
            "<init>" -> "constructor" in words || "constructors" in words
            else -> member in names
        }

    private fun simple(internalName: String) = internalName.substringAfterLast('/').substringAfterLast('$')

    companion object {
        private val WORD = Regex("\\w+")
        private val QUOTED = Regex("`[^`]+`")

        fun of(chapter: String): List<Point> =
            chapter.split("\n### ").flatMap { section ->
                val heading = section.substringBefore('\n')
                section.substringAfter('\n').split("\n- ", "\n\n").map { Point(heading, it) }
            }
    }
}
