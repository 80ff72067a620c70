/** What bare actors can do: the floor that figures are held against. */
@NullMarked
package org.hcaactors.lab.floor;

import org.jspecify.annotations.NullMarked;
