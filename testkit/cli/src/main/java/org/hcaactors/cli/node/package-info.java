// SPDX-License-Identifier: Apache-2.0
/** A node of a cluster as a program, and several of them on one machine. */
@NullMarked
package org.hcaactors.cli.node;

import org.jspecify.annotations.NullMarked;
