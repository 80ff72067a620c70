// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Operations that replace a file; the program may be killed after each of them.
 *
 * <p>Threads: one at a time for one file.
 */
interface FileOperations {
    /** Writes these bytes as the whole file; after a crash it may have only the first of them. */
    void write(Path file, byte[] bytes) throws IOException;

    /** Forces a file's contents, or the renames in a folder, to disk. */
    void force(Path fileOrFolder) throws IOException;

    /** Renames atomically, replacing the target. */
    void rename(Path from, Path to) throws IOException;

    FileOperations REAL = new FileOperations() {
        @Override
        public void write(Path file, byte[] bytes) throws IOException {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(bytes);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            }
        }

        @Override
        public void force(Path fileOrFolder) throws IOException {
            StandardOpenOption how =
                    Files.isDirectory(fileOrFolder) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
            try (FileChannel channel = FileChannel.open(fileOrFolder, how)) {
                channel.force(true);
            }
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    };
}
