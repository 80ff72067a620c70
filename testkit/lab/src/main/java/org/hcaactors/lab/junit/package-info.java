// SPDX-License-Identifier: Apache-2.0
/** Worlds as parameters of JUnit tests, over many seeds, with pictures of failed runs. JUnit 5 and 6. */
@NullMarked
package org.hcaactors.lab.junit;

import org.jspecify.annotations.NullMarked;
