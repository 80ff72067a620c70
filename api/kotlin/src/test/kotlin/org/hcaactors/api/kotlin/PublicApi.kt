// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.io.File
import java.util.ServiceLoader
import org.jetbrains.kotlin.abi.tools.api.AbiFilters
import org.jetbrains.kotlin.abi.tools.api.AbiToolsFactory

/** What the class files of callers hang on: public types and members with their erased signatures, a sorted text. */
internal class PublicApi(val text: String) {
    /** A type by its internal name, or a member of it as the tool writes it. */
    data class Entry(val type: String, val what: String) {
        /** Null for the type itself. */
        val member: String? = MEMBER.find(what)?.groupValues?.get(1)?.removeSuffix("\$default")

        val mentioned: List<String> = MENTIONED.findAll(what).map { it.groupValues[1] }.toList()

        /** The type and those in which it stands, outermost first. */
        val nest: List<String> = type.indices.filter { type[it] == '$' }.map(type::take) + type

        /** A record that becomes a class has other methods of these names: to tell of the type is enough. */
        fun comesWith(types: Set<String>) = type in types && member in OF_EVERY_OBJECT

        override fun toString() = "$type: $what"
    }

    val entries: Set<Entry> =
        buildSet {
            var type = ""
            for (line in text.lines().filterNot { it.isBlank() || it == "}" }) {
                if (!line.startsWith('\t')) {
                    type = TYPE.find(line)?.groupValues?.get(1) ?: error("no type in the line $line")
                }
                add(Entry(type, line.trim().removeSuffix(" {")))
            }
        }

    private val types = entries.map { it.type }.toSet()

    companion object {
        private val OF_EVERY_OBJECT = setOf("equals", "hashCode", "toString")
        private val TYPE = Regex("class (\\S+)")
        private val MENTIONED = Regex("L([\\w/$]+);")
        private val MEMBER = Regex("(?:fun|field) ([^\\s(]+)")

        /** Of the class files below that folder. */
        fun of(classes: File): PublicApi {
            val tool = ServiceLoader.load(AbiToolsFactory::class.java).single().get().v2
            val text = StringBuilder()
            tool.printJvmDump(text, classes.walk().filter { it.extension == "class" }.sorted().toList(), AbiFilters.EMPTY)
            return PublicApi(text.toString())
        }

        /**
         * What was in [before] and is not in [after], and that no point of [chapter] tells: of a type that is gone, its name; of a
         * member, its own name beside its type's. A signature changes, too, when a type in it moves: then it is enough to
         * tell of that type. [exists] says whether a type is still where it was.
         */
        fun untold(
            before: PublicApi,
            after: PublicApi,
            chapter: String,
            exists: (String) -> Boolean,
        ): List<Entry> {
            val points = Point.of(chapter)
            val changed = before.entries - after.entries
            val otherTypes = changed.filter { it.member == null }.map { it.type }.toSet()
            return changed.filterNot { entry ->
                val gone = entry.nest.filterNot { it in after.types } + entry.mentioned.filterNot(exists)
                entry.comesWith(otherTypes) ||
                    points.any { it.namesOneOf(gone) || (entry.type in after.types && it.tellsOf(entry)) }
            }
        }
    }
}
