// Written by scripts/probe-lists.mjs from src/probe/list.ts.
import type { Probe } from '../probe';
import { lgip } from '../lgip/lgip';
import { exploit } from '../exploit/exploit';
import { visla } from '../visla/visla';
import { choice } from '../choice/choice';
import { sugarcrepe } from '../sugarcrepe/sugarcrepe';
import { winoground } from '../winoground/winoground';
import { rococo } from '../rococo/rococo';
import { prsm } from '../prsm/prsm';
import { invariance } from '../invariance/invariance';
import { human } from '../human/human';
import { long } from '../long/long';
import { explain } from '../explain/explain';

// prettier-ignore
export const probes: readonly Probe[] = [lgip, exploit, visla, choice, sugarcrepe, winoground, rococo, prsm, invariance, human, long, explain];
