// SPDX-License-Identifier: Apache-2.0
/** Typical bugs of RDMA programs, each with its correct twin, which the testkit finds with its default settings. */
@NullMarked
package org.hcaactors.samples.catalogue;

import org.jspecify.annotations.NullMarked;
