// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.io.File
import java.lang.module.ModuleDescriptor
import java.util.ServiceLoader
import org.jetbrains.kotlin.abi.tools.api.AbiFilters
import org.jetbrains.kotlin.abi.tools.api.AbiToolsFactory

/**
 * Public types and members of a module with their erased signatures, as sorted text: the binary interface for compiled callers.
 */
internal class PublicApi(val text: String) {
    /** Each line, prefixed with the name of its type. */
    val entries: Set<String> =
        buildSet {
            var type = ""
            for (line in text.lines().filterNot { it.isBlank() || it == "}" }) {
                if (!line.startsWith('\t')) {
                    type = TYPE.find(line)?.groupValues?.get(1) ?: error("no type in the line $line")
                }
                add("$type: ${line.trim().removeSuffix(" {")}")
            }
        }

    companion object {
        private val TYPE = Regex("class (\\S+)")

        /** Returns the API of a module's folder of class files: the packages that it exports to everybody. */
        fun of(classes: File): PublicApi {
            val module = File(classes, "module-info.class").inputStream().use { ModuleDescriptor.read(it) }
            val exported = module.exports().filterNot { it.isQualified }.map { File(classes, it.source().replace('.', '/')) }
            val files = exported.flatMap { folder -> folder.listFiles { file -> file.extension == "class" }.orEmpty().toList() }
            val tool = ServiceLoader.load(AbiToolsFactory::class.java).single().get().v2
            val text = StringBuilder()
            tool.printJvmDump(text, files.sorted(), AbiFilters.EMPTY)
            return PublicApi(text.toString())
        }
    }
}
