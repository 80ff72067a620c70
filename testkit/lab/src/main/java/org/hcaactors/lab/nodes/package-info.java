// SPDX-License-Identifier: Apache-2.0
/** Seeds of tests that other JVMs run, of this machine or of those that join, and command lines of such JVMs. */
@NullMarked
package org.hcaactors.lab.nodes;

import org.jspecify.annotations.NullMarked;
