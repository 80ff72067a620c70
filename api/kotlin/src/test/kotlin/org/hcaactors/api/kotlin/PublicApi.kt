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
        /** Words by one of which a reader knows that it is meant: its type's, its own, and those of types that it lost. */
        fun names(exists: (String) -> Boolean): List<String> =
            words(type) + listOfNotNull(MEMBER.find(what)?.groupValues?.get(1)?.removeSuffix("\$default")) +
                MENTIONED.findAll(what).map { it.groupValues[1] }.filterNot(exists).flatMap(::words)

        private fun words(internalName: String) = internalName.substringAfterLast('/').split('$')

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

    companion object {
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
         * What was in [before] and is not in [after], and that no word of [changelog] tells. A signature changes, too, when a type in
         * it moves: then it is enough to tell of the type. [exists] says whether a type is still where it was.
         */
        fun untold(
            before: PublicApi,
            after: PublicApi,
            changelog: String,
            exists: (String) -> Boolean,
        ): List<Entry> {
            val words = Regex("\\w+").findAll(changelog).map { it.value }.toSet()
            return (before.entries - after.entries).filter { entry -> entry.names(exists).none { it in words } }
        }
    }
}
