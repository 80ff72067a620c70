// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.Optional;
import java.util.function.Function;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Environment variables of a process about inline data in completions.
 *
 * @param scatter {@code MLX5_SCATTER_TO_CQE}: 0 turns it off, any other value on
 * @param entryBytes {@code MLX5_CQE_SIZE}
 */
public record InlineVariables(Optional<String> scatter, Optional<String> entryBytes) {
    private static final int SMALL = 64;
    private static final int LARGE = 128;

    /** Reads the variables if the adapter's library knows them; else they are empty. */
    public static InlineVariables of(Function<String, Optional<String>> environment, Profile profile) {
        if (profile.queues().maxInlineReceiveBytes() == 0) {
            return new InlineVariables(Optional.empty(), Optional.empty());
        }
        return new InlineVariables(environment.apply("MLX5_SCATTER_TO_CQE"), environment.apply("MLX5_CQE_SIZE"));
    }

    // rule inline-variables
    /** Returns whether a queue pair uses inline data whose description does not say so. */
    boolean scatters(boolean byDefault) {
        return scatter.map(value -> !value.equals("0")).orElse(byDefault);
    }

    // rule inline-entry-size
    /** Size of an entry; VerbsException (EINVAL, EOPNOTSUPP) for a size that does not exist. */
    public int entryBytes(CqDescription requested, int max, String profile) {
        String sizeText = requested.entryBytes().isPresent()
                ? Integer.toString(requested.entryBytes().getAsInt())
                : entryBytes.orElse(Integer.toString(SMALL));
        int bytes = switch (sizeText) {
            case "64" -> SMALL;
            case "128" -> LARGE;
            default ->
                throw VerbsException.invalid("the entry size of a completion queue is " + sizeText + " bytes"
                        + (requested.entryBytes().isPresent() ? "" : ", set by MLX5_CQE_SIZE")
                        + "; 64 or 128 are allowed");
        };
        if (bytes > max) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    profile + " has no completion queue entries of " + bytes + " bytes; at most " + max
                            + " are allowed");
        }
        return bytes;
    }
}
