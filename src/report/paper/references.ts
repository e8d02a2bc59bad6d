/* BibTeX entries for the probes' papers and the statistical methods, and their citations in texts. */
import { findSaid } from '../../base/say';
import type { Entry } from './entry';

/** By key. Standard styles do not print `eprint`, so works without a venue have the number as a note, too. */
const works: Readonly<Record<string, string>> = {
  'captious-lgip': `@misc{captious-lgip,
  title = {Language-Guided Invariance Probing of Vision--Language Models},
  author = {Lee, Jae Joong},
  year = {2025},
  eprint = {2511.13494},
  archiveprefix = {arXiv},
  note = {arXiv:2511.13494}
}`,
  'captious-visla': `@misc{captious-visla,
  title = {{VISLA} Benchmark: Evaluating Embedding Sensitivity to Semantic and Lexical Alterations},
  author = {Dumpala, Sri Harsha and Jaiswal, Aman and Sastry, Chandramouli and Milios, Evangelos and Oore, Sageev and Sajjad, Hassan},
  year = {2024},
  eprint = {2404.16365},
  archiveprefix = {arXiv},
  note = {arXiv:2404.16365}
}`,
  'captious-rococo': `@misc{captious-rococo,
  title = {{RoCOCO}: Robustness Benchmark of {MS-COCO} to Stress-test Image-Text Matching Models},
  author = {Park, Seulki and Um, Daeho and Yoon, Hajung and Chun, Sanghyuk and Yun, Sangdoo and Choi, Jin Young},
  year = {2023},
  eprint = {2304.10727},
  archiveprefix = {arXiv},
  note = {arXiv:2304.10727}
}`,
  'captious-prsm': `@misc{captious-prsm,
  title = {{PRSM}: A Measure to Evaluate {CLIP}'s Robustness Against Paraphrases},
  author = {Schlegel, Udo and Weeber, Franziska and Lan, Jian and Seidl, Thomas},
  year = {2025},
  eprint = {2511.11141},
  archiveprefix = {arXiv},
  note = {arXiv:2511.11141}
}`,
  'captious-invariance': `@inproceedings{captious-invariance,
  title = {Do Image--Text Metrics Respect Semantic Invariances?},
  author = {Agarwal, Amit and Patel, Hitesh Laxmichand and Liu, Meizhu and Singh, Jyotika and Dua, Karan and Meghwani, Hansa and Rowe, Matthew and Avendi, Michael and Abbasi, Yassi and Sheng, Tao and Ravi, Sujith and Roth, Dan},
  booktitle = {Findings of the Association for Computational Linguistics: {ACL} 2026},
  pages = {39089--39116},
  year = {2026},
  eprint = {2605.24702},
  archiveprefix = {arXiv}
}`,
  'captious-sugarcrepe': `@inproceedings{captious-sugarcrepe,
  title = {{SugarCrepe}: Fixing Hackable Benchmarks for Vision-Language Compositionality},
  author = {Hsieh, Cheng-Yu and Zhang, Jieyu and Ma, Zixian and Kembhavi, Aniruddha and Krishna, Ranjay},
  booktitle = {Advances in Neural Information Processing Systems},
  year = {2023},
  eprint = {2306.14610},
  archiveprefix = {arXiv}
}`,
  'captious-winoground': `@inproceedings{captious-winoground,
  title = {Winoground: Probing Vision and Language Models for Visio-Linguistic Compositionality},
  author = {Thrush, Tristan and Jiang, Ryan and Bartolo, Max and Singh, Amanpreet and Williams, Adina and Kiela, Douwe and Ross, Candace},
  booktitle = {Proceedings of the IEEE/CVF Conference on Computer Vision and Pattern Recognition},
  year = {2022},
  eprint = {2204.03162},
  archiveprefix = {arXiv}
}`,
  'captious-efron1987': `@article{captious-efron1987,
  title = {Better Bootstrap Confidence Intervals},
  author = {Efron, Bradley},
  journal = {Journal of the American Statistical Association},
  volume = {82},
  number = {397},
  pages = {171--185},
  year = {1987}
}`,
  'captious-holm1979': `@article{captious-holm1979,
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  author = {Holm, Sture},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  pages = {65--70},
  year = {1979}
}`,
  'captious-bell2002': `@article{captious-bell2002,
  title = {Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples},
  author = {Bell, Robert M. and McCaffrey, Daniel F.},
  journal = {Survey Methodology},
  volume = {28},
  number = {2},
  pages = {169--181},
  year = {2002}
}`,
  'captious-hall1992': `@article{captious-hall1992,
  title = {On the Removal of Skewness by Transformation},
  author = {Hall, Peter},
  journal = {Journal of the Royal Statistical Society: Series B},
  volume = {54},
  number = {1},
  pages = {221--228},
  year = {1992}
}`,
  'captious-wilson1927': `@article{captious-wilson1927,
  title = {Probable Inference, the Law of Succession, and Statistical Inference},
  author = {Wilson, Edwin B.},
  journal = {Journal of the American Statistical Association},
  volume = {22},
  number = {158},
  pages = {209--212},
  year = {1927}
}`,
};

function software(version: string): string {
  return `@misc{captious,
  title = {Captious: Audits of Evaluators of Image Captions},
  author = {{The Captious authors}},
  year = {2026},
  howpublished = {Software, version ${version}}
}`;
}

const wilson = ['probe.wilsonInterval', 'inference.wilsonOverClusters'] as const;

export function usesWilson(entries: readonly Entry[]): boolean {
  return entries.some(({ report }) =>
    report.metrics.some(({ note }) => wilson.some((code) => findSaid(note, code) !== undefined)),
  );
}

/** Matches the citations in a text, in Pandoc's form. The group is the key. */
export const citations = new RegExp(` ?\\[@(captious|${Object.keys(works).join('|')})\\]`, 'g');

/** A citation of a work with an entry; empty for a probe without a paper. */
export function cite(work?: string): string {
  const key = work === undefined ? 'captious' : `captious-${work}`;
  return work === undefined || key in works ? ` [@${key}]` : '';
}

/** The entries that a text cites, in the order of their first citation. */
export function bibtex(text: string, versions: Readonly<Record<string, string>>): string {
  const keys = [...new Set(Array.from(text.matchAll(citations), ([, key]) => key))];
  return keys
    .map((key) => works[key] ?? software(versions.captious ?? ''))
    .join('\n\n')
    .concat('\n');
}
