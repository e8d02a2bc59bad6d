import type { InvarianceRow } from '../../probe/invariance/row';
import type { LgipRow } from '../../probe/lgip/row';
import type { Row } from '../../probe/metric';
import type { Sampled } from '../../protocol/sampled';
import { lgipItem } from '../../sessions/lgip/variants';
import type { PickedProbe } from '../../sessions/picked';
import { itemOf } from '../../sessions/sample';

/** The row's variants as items of a human check; none if the row has no image to judge them by. */
export function itemsOf(probe: PickedProbe, row: Row): Sampled[] {
  const { image } = row;
  if (image === undefined) return [];
  if (probe === 'lgip') {
    const own = row as LgipRow;
    return own.variants.map((variant) => lgipItem(own, image, variant));
  }
  const own = row as InvarianceRow;
  return own.variants.map((variant) => itemOf(own, image, variant));
}
