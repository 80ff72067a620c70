// SPDX-License-Identifier: Apache-2.0
/** What bare actors can do: the floor that figures are held against. */
@NullMarked
package org.hcaactors.judge.floor;

import org.jspecify.annotations.NullMarked;
