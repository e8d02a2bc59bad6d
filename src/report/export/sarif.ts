import { english } from '../../base/english';
import { fileOf } from '../../dataset/parts/fileOf';
import { reporting } from '../../probe/list';
import type { Row } from '../../probe/metric';
import { shownPath } from '../figures';
import { relativePath } from './relativePath';
import type { Report } from '../report';

/** Writes SARIF 2.1.0 for code hosts. Each fault is at its line of the dataset, if the line is known. */
export async function* sarif(report: Report, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  const probe = reporting(report.probe);
  const driver = {
    name: 'Captious',
    semanticVersion: report.versions.captious,
    rules: [{ id: probe.id, name: probe.title, shortDescription: { text: probe.question } }],
  };
  const artifact = artifactOf(report.dataset.path);
  const artifacts = [{ location: artifact, hashes: { 'sha-256': report.dataset.sha256 } }];
  const head = JSON.stringify({ tool: { driver }, artifacts, columnKind: 'utf16CodeUnits' });
  yield `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[${head.slice(0, -1)},"results":[`;
  let separator = '\n';
  for await (const row of rows) {
    // Brackets of a caption are escaped, because SARIF messages would turn them into links.
    for (const { message, size } of probe.faults(row)) {
      const region = row.place && {
        startLine: row.place.line,
        startColumn: row.place.column,
        byteOffset: row.place.offset,
        byteLength: row.place.length,
      };
      const result = {
        ruleId: probe.id,
        level: 'warning',
        message: { text: english(message).replace(/[\\[\]]/g, '\\$&') },
        locations: [
          {
            physicalLocation: {
              artifactLocation: row.place
                ? artifactOf(fileOf(report.dataset.path, row.place.part))
                : artifact,
              region,
            },
          },
        ],
        properties: { evaluator: shownPath(report.evaluator.id), example: row.example, size },
      };
      yield separator + JSON.stringify(result);
      separator = ',\n';
    }
  }
  yield '\n]}]}\n';
}

function artifactOf(path: string): { uri: string } {
  return { uri: encodeURI(relativePath(path)) };
}
