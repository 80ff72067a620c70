// SPDX-License-Identifier: Apache-2.0
/** Indirect keys: the translation of their addresses, and leases on them. */
@NullMarked
package org.hcaactors.adapter.indirect;

import org.jspecify.annotations.NullMarked;
