/** On the pages of the documentation: whoever only reads has them without a net, too. */

import { keepPages } from "./parts/keep.js";

keepPages();
