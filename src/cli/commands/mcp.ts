import { homeFolder } from '../../base/files/home';
import { usageError } from '../../base/errors';
import { type Command, repeated } from '../arguments';
import { log } from '../terminal';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'serve assistants: a Model Context Protocol server on standard input and output',
  usage: ['mcp FOLDER…'],
  operands: { 'FOLDER…': 'the folders that assistants may read, and write reports in' },
  options: {
    'allow-evaluator': {
      value: 'REF',
      multiple: true,
      describe:
        'an evaluator that runs code or contacts a server, which assistants may use: python:./my_metric.py:Evaluator, an evaluator file, or a remote encoder. Repeatable',
    },
    yes: {
      describe:
        'consent to the requests and the Python code of the evaluators after --allow-evaluator. Without it, those that need consent are rejected, unless you gave it in an earlier audit',
    },
  },
  notes: [
    'An assistant starts the server itself. docs/assistant.md shows how to add it to a client. The tools are inspect, probes, evaluators, audit, compare, explain and worst; reports in the folders are resources.',
    'Captious also writes to its home folder, as in every audit: embeddings and scores that later runs reuse. It downloads nothing, unless an evaluator that you allow does. Without --allow-evaluator, assistants can use the starter, installed models, model folders inside FOLDER, and metrics of these.',
  ],
  examples: ['mcp samples', 'mcp data reports --allow-evaluator python:./my_metric.py:Evaluator'],

  async run({ positionals, values, signal }) {
    if (positionals.length === 0)
      throw usageError(
        'A folder is missing.',
        'Name the folders that assistants may use: captious mcp FOLDER…',
      );
    const [{ Folders }, { Evaluators }, { serveAssistant }] = await Promise.all([
      import('../../assistant/folders'),
      import('../../mcp/evaluators'),
      import('../../mcp/server'),
    ]);
    const home = homeFolder();
    const folders = await Folders.open(positionals);
    const evaluators = new Evaluators(folders, home, repeated(values, 'allow-evaluator'));
    await serveAssistant(
      { folders, evaluators, home, consents: values.yes === true },
      { input: process.stdin, output: process.stdout, log },
      signal,
    );
    return 0;
  },
};
