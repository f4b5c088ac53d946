/** On the pages of the documentation: readers also have them without a net. */

import { keepPages } from "./parts/keep.js";

keepPages();
