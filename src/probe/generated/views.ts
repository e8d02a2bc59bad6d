// Written by scripts/probe-lists.mjs from src/probe/list.ts.
import type { ProbeView } from '../view';
import { lgipView } from '../lgip/view';
import { exploitView } from '../exploit/view';
import { vislaView } from '../visla/view';
import { choiceView } from '../choice/view';
import { sugarcrepeView } from '../sugarcrepe/view';
import { winogroundView } from '../winoground/view';
import { rococoView } from '../rococo/view';
import { prsmView } from '../prsm/view';
import { invarianceView } from '../invariance/view';
import { humanView } from '../human/view';
import { longView } from '../long/view';
import { explainView } from '../explain/view';

// prettier-ignore
export const views: readonly ProbeView[] = [lgipView, exploitView, vislaView, choiceView, sugarcrepeView, winogroundView, rococoView, prsmView, invarianceView, humanView, longView, explainView];
