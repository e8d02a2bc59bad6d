import { english } from '../../base/english';
import { fileOf } from '../../dataset/parts/fileOf';
import type { Row } from '../../probe/metric';
import { interval, metricName, shownPath, valueOf } from '../figures';
import { relativePath } from './relativePath';
import type { Report } from '../report';
import { reporting } from '../../probe/list';
import { escapeXml } from '../../base/xml';

/** Writes JUnit XML: rows are test cases, faults are failures, and metrics are properties of the suite. */
export async function* junit(report: Report, rows: () => AsyncIterable<Row>): AsyncGenerator<string> {
  const { faults: faultsOf } = reporting(report.probe);
  let tests = 0;
  let failures = 0;
  for await (const row of rows()) {
    tests++;
    if (faultsOf(row).length > 0) failures++;
  }
  const name = escapeXml(`${report.probe} · ${shownPath(report.evaluator.id)}`);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites><testsuite name="${name}" tests="${tests}" failures="${failures}" errors="0" skipped="0">\n<properties>\n`;
  for (const metric of report.metrics) {
    const value = `${valueOf(metric)} ${interval(metric)}`.trim();
    yield `<property name="${escapeXml(metricName(metric))}" value="${value}"/>\n`;
  }
  yield '</properties>\n';
  for await (const row of rows()) {
    const place = row.place
      ? ` file="${escapeXml(relativePath(fileOf(report.dataset.path, row.place.part)))}" line="${row.place.line}"`
      : '';
    const opening = `<testcase classname="${name}" name="${escapeXml(row.example)}"${place}`;
    const faults = faultsOf(row);
    if (faults.length === 0) yield `${opening}/>\n`;
    else {
      const all = faults.map(({ message }) => english(message)).join('\n');
      yield `${opening}><failure message="${escapeXml(english(faults[0].message))}">${escapeXml(all)}</failure></testcase>\n`;
    }
  }
  yield '</testsuite></testsuites>\n';
}
