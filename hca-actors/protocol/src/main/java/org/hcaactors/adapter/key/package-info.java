// SPDX-License-Identifier: Apache-2.0
/** Memory keys of any kind: their numbers, translations, and leases. */
@NullMarked
package org.hcaactors.adapter.key;

import org.jspecify.annotations.NullMarked;
