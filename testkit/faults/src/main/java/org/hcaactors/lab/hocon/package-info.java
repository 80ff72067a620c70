// SPDX-License-Identifier: Apache-2.0
/** HOCON that people write: read key by key, refused in one line that says where, what and what is allowed. */
@NullMarked
package org.hcaactors.lab.hocon;

import org.jspecify.annotations.NullMarked;
