import { strict as assert } from 'node:assert';
import { parseReport } from '../../../src/report/reportShape';
import { reportOf } from './reportOf';

describe('a report of 0.2.0 about RoCOCO', () => {
  it('has its options and slices under their present names', () => {
    const report = JSON.parse(JSON.stringify(reportOf())) as Record<string, unknown>;
    const metric = { id: 'rococo.t2i.r1', value: 0.5, n: 2, slice: { pictures: 'mix', lambda: 0.9 } };
    const old = {
      ...{ ...report, probe: 'rococo', metrics: [metric] },
      options: { pictures: 'mix-0.9', pictureSeeds: '1', influence: true },
    };
    const read = parseReport(old);
    assert.deepEqual(read.options, { images: 'mix-0.9', imageSeeds: '1', influence: true });
    assert.deepEqual(read.metrics[0].slice, { images: 'mix', lambda: 0.9 });
    assert.deepEqual(parseReport({ ...old, probe: 'lgip' }).options, old.options);
  });
});
