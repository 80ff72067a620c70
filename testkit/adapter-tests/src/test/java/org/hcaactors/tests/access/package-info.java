// SPDX-License-Identifier: Apache-2.0
/** Every way to reach memory without a right, tried as one table. */
@NullMarked
package org.hcaactors.tests.access;

import org.jspecify.annotations.NullMarked;
