import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { LongColumn } from '../../base/files/longColumn';
import { clusteredSlope } from '../../stats/regression/clusteredSlope';
import { isDefined } from '../../stats/outcome';
import { tooFewImages } from '../inference/interval';
import type { Metric } from '../metric';

/** The change of the detection rate from the start of a caption to its end: the slope of a straight line. */
export class DetectionSlope {
  private readonly positions = new LongColumn(Float64Array);
  private readonly detected = new LongColumn(Uint8Array);
  private readonly clusters = new LongColumn(Uint32Array);

  add(position: number, isDetected: boolean, cluster: number): void {
    this.positions.push(position);
    this.detected.push(isDetected ? 1 : 0);
    this.clusters.push(cluster);
  }

  /** The slope, and the p value of its test against zero. */
  *metrics(id: string): Steps<Metric[]> {
    yield;
    const [positions, detected, clusters] = [this.positions.all(), this.detected.all(), this.clusters.all()];
    const images = new Set(clusters).size;
    const shared = { n: positions.length, ...(images < positions.length ? { images } : {}) };
    const [slope, p] = [id, `${id}.p`].map((own): Metric => ({ id: own, value: null, ...shared }));
    if (positions.length === 0) return [slope, p].map((one) => ({ ...one, note: say('probe.noExamples') }));
    const found = clusteredSlope(positions, detected, clusters);
    if (isDefined(found)) slope.value = found.slope;
    else if (detected.every((one) => one === detected[0]) && positions.length > 2) slope.value = 0;
    const few = tooFewImages(images) ?? (isDefined(found) ? undefined : found);
    if (few !== undefined || !isDefined(found)) {
      const reason = few?.reason ?? '';
      slope.note = say('probe.noInterval', reason);
      p.note = say('inference.noTest', reason);
      return [slope, p];
    }
    Object.assign(slope, { ci: [found.low, found.high], degrees: found.degrees });
    slope.note = say('inference.intervalOfReportedTest');
    Object.assign(p, { value: found.pValue, note: say('long.slopeTest') });
    return [slope, p];
  }
}
