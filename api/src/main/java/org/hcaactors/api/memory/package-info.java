/** Host memory, regions, keys and rights. */
@NullMarked
package org.hcaactors.api.memory;

import org.jspecify.annotations.NullMarked;
