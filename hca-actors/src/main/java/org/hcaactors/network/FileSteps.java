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
 * The steps in which a file is replaced, after each of which the program may be gone.
 *
 * <p>Threads: one at a time for one file.
 */
interface FileSteps {
    /** The file has these bytes and no others; where it ends early it has some of them. */
    void write(Path file, byte[] bytes) throws IOException;

    /** What was written to the file, or was renamed in the folder, is on the disk. */
    void force(Path fileOrFolder) throws IOException;

    /** The other name names this one from now on, from one instant to the next. */
    void rename(Path from, Path to) throws IOException;

    FileSteps REAL = new FileSteps() {
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
