/* The tool that checks the items of a benchmark. */
import { basename, extname } from 'node:path';
import { answerText, briefly } from '../assistant/answer';
import type { serverTools } from '../assistant/tools';
import { runBenchmark } from '../audit/benchmark/run';
import { defaultSeed } from '../audit/output/folder';
import { fileName } from '../base/files/fileName';
import type { Shaped } from '../base/shape';
import { defaultFolder, listening, withNotices } from './audit';
import type { ToolContext } from './toolContext';

type Asked = Shaped<typeof serverTools.benchmark.input>;

export async function benchmark(asked: Asked, context: ToolContext): Promise<string> {
  const { folders, home, signal } = context;
  const dataset = await context.dataset(asked.file);
  const images = await context.imageFolders(asked.images);
  const against: string[] = [];
  for (const file of asked.against ?? []) against.push(await context.dataset(file));
  const root = folders.rootOf(dataset)!;
  // The reports of all files have one name, so each file has a folder.
  const own = fileName(`benchmark-${basename(dataset, extname(dataset))}`);
  const out = await folders.target(asked.out ?? `${defaultFolder}/${own}`, root);
  const { onEvent, notices } = listening(['benchmark'], context);
  const { path, report } = await runBenchmark({
    ...{ dataset, images, against, out, home, signal, onEvent },
    ...{ limit: asked.limit, seed: defaultSeed },
  });
  return answerText(
    withNotices({ path, ...briefly(report) }, notices),
    'Read the report as a resource. The tool worst returns its items.',
  );
}
