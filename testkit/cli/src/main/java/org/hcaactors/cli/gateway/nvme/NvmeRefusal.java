// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

/** A command that ends with another status than success. */
final class NvmeRefusal extends Exception {
    private static final long serialVersionUID = 1;

    private final NvmeStatus status;
    private final int result;

    NvmeRefusal(NvmeStatus status) {
        this(status, 0);
    }

    /** @param result of the completion, which tells more */
    NvmeRefusal(NvmeStatus status, int result) {
        super(status.toString());
        this.status = status;
        this.result = result;
    }

    NvmeStatus status() {
        return status;
    }

    int result() {
        return result;
    }
}
