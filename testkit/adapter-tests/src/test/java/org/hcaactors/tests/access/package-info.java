// SPDX-License-Identifier: Apache-2.0
/** Every way to access memory without a right, tested as one table. */
@NullMarked
package org.hcaactors.tests.access;

import org.jspecify.annotations.NullMarked;
