// Writes out/vscodeignore for "npx vsce package": .vscodeignore with this platform's native code only.
import { vscodeIgnore } from './shipped.mjs';
import { writeChanged } from './write-changed.mjs';

writeChanged('out/vscodeignore', vscodeIgnore(`${process.platform}/${process.arch}`));
