/** The kinds of evaluator files that use a chat model. */
export type ChatKind = 'judge' | 'fleur' | 'vqascore' | 'likelihood';

/** A server, with initial values for evaluator files that use it. */
export interface Preset {
  id: string;
  name: string;
  endpoint: string;
  /** A model that accepts images, or a placeholder for the server's only model. */
  model: string;
  /** The usual environment variable of the API key. Absent if the server needs no key. */
  keyFrom?: string;
  /** The kinds that the server supports. All but `judge` need log-probabilities. */
  kinds: readonly ChatKind[];
  /** How many of the most probable tokens to request, if not the usual 20. */
  alternatives?: number;
}

const all = ['judge', 'fleur', 'vqascore'] as const;

export const presets: readonly Preset[] = [
  { id: 'ollama', name: 'Ollama', endpoint: 'http://localhost:11434/v1', model: 'qwen2.5vl', kinds: all },
  { id: 'llama.cpp', name: 'llama.cpp', endpoint: 'http://localhost:8080/v1', model: 'default', kinds: all },
  {
    id: 'vllm',
    name: 'vLLM',
    endpoint: 'http://localhost:8000/v1',
    model: 'Qwen/Qwen2.5-VL-7B-Instruct',
    kinds: [...all, 'likelihood'],
  },
  {
    id: 'sglang',
    name: 'SGLang',
    endpoint: 'http://localhost:30000/v1',
    model: 'Qwen/Qwen2.5-VL-7B-Instruct',
    kinds: all,
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    endpoint: 'http://localhost:1234/v1',
    model: 'qwen2.5-vl-7b-instruct',
    kinds: ['judge'],
  },
  {
    id: 'tgi',
    name: 'Hugging Face TGI',
    endpoint: 'http://localhost:8080/v1',
    model: 'tgi',
    kinds: ['judge', 'vqascore'],
    alternatives: 5,
  },
  {
    id: 'openai',
    name: 'OpenAI',
    endpoint: 'https://api.openai.com/v1',
    model: 'gpt-4o-mini',
    keyFrom: 'OPENAI_API_KEY',
    kinds: all,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    endpoint: 'https://api.anthropic.com/v1',
    model: 'claude-sonnet-4-5',
    keyFrom: 'ANTHROPIC_API_KEY',
    kinds: ['judge'],
  },
  {
    id: 'gemini',
    name: 'Gemini',
    endpoint: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-2.5-flash',
    keyFrom: 'GEMINI_API_KEY',
    kinds: ['judge'],
  },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    endpoint: 'https://RESOURCE.openai.azure.com/openai/v1',
    model: 'gpt-4o-mini',
    keyFrom: 'AZURE_OPENAI_API_KEY',
    kinds: all,
  },
];

/** What the user enters for an evaluator file with a chat model. */
export interface ChatFields {
  endpoint: string;
  model: string;
  /** Empty if the server needs no key. */
  keyFrom: string;
  kind: ChatKind;
  name: string;
}

/** Returns the content of the evaluator file. */
export function chatFile(
  { alternatives }: Preset,
  fields: ChatFields,
): { kind: ChatKind } & Record<string, unknown> {
  const { kind, name, endpoint, model, keyFrom } = fields;
  return {
    kind,
    ...(name === '' ? {} : { name }),
    endpoint,
    model,
    ...(keyFrom === '' ? {} : { keyFrom }),
    ...(kind === 'vqascore' && alternatives !== undefined ? { alternatives } : {}),
  };
}
