/* BibTeX entries for the probes' papers and the statistical methods. */
import type { Entry } from './entry';

const works: Readonly<Record<string, string>> = {
  lgip: `@misc{captious-lgip,
  title = {Language-Guided Invariance Probing of Vision--Language Models},
  author = {Lee, Jae Joong},
  year = {2025}
}`,
  visla: `@misc{captious-visla,
  title = {{VISLA} Benchmark: Evaluating Embedding Sensitivity to Semantic and Lexical Alterations},
  author = {Dumpala, Sri Harsha and Jaiswal, Aman and Sastry, Chandramouli and Milios, Evangelos and Oore, Sageev and Sajjad, Hassan},
  year = {2024}
}`,
  rococo: `@misc{captious-rococo,
  title = {{RoCOCO}: Robustness Benchmark of {MS-COCO} to Stress-test Image-Text Matching Models},
  author = {Park, Seulki and Um, Daeho and Yoon, Hajung and Chun, Sanghyuk and Yun, Sangdoo and Choi, Jin Young},
  year = {2024}
}`,
  prsm: `@misc{captious-prsm,
  title = {{PRSM}: A Measure to Evaluate {CLIP}'s Robustness Against Paraphrases},
  author = {Schlegel, Udo and Weeber, Franziska and Lan, Jian and Seidl, Thomas},
  year = {2025}
}`,
  invariance: `@misc{captious-invariance,
  title = {Do Image--Text Metrics Respect Semantic Invariances?},
  author = {Agarwal, Amit and Patel, Hitesh Laxmichand and Liu, Meizhu and Singh, Jyotika and Dua, Karan and Meghwani, Hansa and Rowe, Matthew and Avendi, Michael and Abbasi, Yassi and Sheng, Tao and Ravi, Sujith and Roth, Dan}
}`,
  sugarcrepe: `@inproceedings{captious-sugarcrepe,
  title = {{SugarCrepe}: Fixing Hackable Benchmarks for Vision-Language Compositionality},
  author = {Hsieh, Cheng-Yu and Zhang, Jieyu and Ma, Zixian and Kembhavi, Aniruddha and Krishna, Ranjay},
  booktitle = {Advances in Neural Information Processing Systems},
  year = {2023}
}`,
  winoground: `@inproceedings{captious-winoground,
  title = {Winoground: Probing Vision and Language Models for Visio-Linguistic Compositionality},
  author = {Thrush, Tristan and Jiang, Ryan and Bartolo, Max and Singh, Amanpreet and Williams, Adina and Kiela, Douwe and Ross, Candace},
  booktitle = {Proceedings of the IEEE/CVF Conference on Computer Vision and Pattern Recognition},
  year = {2022}
}`,
};

const statistics: Readonly<Record<string, string>> = {
  bca: `@article{captious-efron1987,
  title = {Better Bootstrap Confidence Intervals},
  author = {Efron, Bradley},
  journal = {Journal of the American Statistical Association},
  volume = {82},
  number = {397},
  pages = {171--185},
  year = {1987}
}`,
  holm: `@article{captious-holm1979,
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  author = {Holm, Sture},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  pages = {65--70},
  year = {1979}
}`,
  clusters: `@article{captious-bell2002,
  title = {Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples},
  author = {Bell, Robert M. and McCaffrey, Daniel F.},
  journal = {Survey Methodology},
  volume = {28},
  number = {2},
  pages = {169--181},
  year = {2002}
}`,
  skewness: `@article{captious-hall1992,
  title = {On the Removal of Skewness by Transformation},
  author = {Hall, Peter},
  journal = {Journal of the Royal Statistical Society: Series B},
  volume = {54},
  number = {1},
  pages = {221--228},
  year = {1992}
}`,
  wilson: `@article{captious-wilson1927,
  title = {Probable Inference, the Law of Succession, and Statistical Inference},
  author = {Wilson, Edwin B.},
  journal = {Journal of the American Statistical Association},
  volume = {22},
  number = {158},
  pages = {209--212},
  year = {1927}
}`,
};

export function usesWilson(entries: readonly Entry[]): boolean {
  return entries.some(({ report }) =>
    report.metrics.some(({ note }) => note?.startsWith("Wilson's interval") === true),
  );
}

export function bibtex(entries: readonly Entry[], hasTests: boolean): string {
  const { versions } = entries[0].report;
  const probes = [...new Set(entries.map(({ report }) => report.probe))];
  return [
    `@software{captious,
  title = {Captious: Audits of Evaluators of Image Captions},
  version = {${versions.captious ?? ''}}
}`,
    ...probes.flatMap((probe) => works[probe] ?? []),
    statistics.bca,
    ...(hasTests ? [statistics.clusters, statistics.skewness, statistics.holm] : []),
    ...(usesWilson(entries) ? [statistics.wilson] : []),
  ]
    .join('\n\n')
    .concat('\n');
}
