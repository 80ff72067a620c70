// SPDX-License-Identifier: Apache-2.0
/** What the tests of several features stand on; what one feature alone needs stands in its own package. */
@NullMarked
package org.hcaactors.tests.ground;

import org.jspecify.annotations.NullMarked;
