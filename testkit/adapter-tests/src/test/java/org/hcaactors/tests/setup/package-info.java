// SPDX-License-Identifier: Apache-2.0
/** Setups shared by the tests of several features; the setup of a single feature is in that feature's package. */
@NullMarked
package org.hcaactors.tests.setup;

import org.jspecify.annotations.NullMarked;
