// SPDX-License-Identifier: Apache-2.0
/** A discovery controller of NVMe over Fabrics without network: commands in, completions and data out. */
@NullMarked
package org.hcaactors.cli.gateway.nvme;

import org.jspecify.annotations.NullMarked;
