// SPDX-License-Identifier: Apache-2.0
/** Programs with bugs that people write over RDMA, each with its right twin: what the bench finds with its default settings. */
@NullMarked
package org.hcaactors.samples.catalogue;

import org.jspecify.annotations.NullMarked;
