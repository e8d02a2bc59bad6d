import type { Row } from '../probe/probe';
import { invarianceView } from '../probe/invariance/view';
import type { RowView } from '../probe/view';
import { lgipView } from '../probe/lgip/view';
import { plainView } from '../probe/plainView';
import { prsmView } from '../probe/prsm/view';
import { rococoView } from '../probe/rococo/view';
import { sugarcrepeView } from '../probe/sugarcrepe/view';
import { vislaView } from '../probe/visla/view';
import { winogroundView } from '../probe/winoground/view';

/** A probe's rows are only ever handed to the lens of its own id. */
const views: Readonly<Record<string, RowView<never>>> = {
  lgip: lgipView,
  visla: vislaView,
  sugarcrepe: sugarcrepeView,
  winoground: winogroundView,
  rococo: rococoView,
  prsm: prsmView,
  invariance: invarianceView,
};

export function viewFor(probe: string): RowView {
  return (views[probe] as RowView<Row> | undefined) ?? plainView;
}
