"""Shards in the layouts of webdataset's writer, ustar, GNU tar and PAX, and their samples as the webdataset library and
Hugging Face's datasets read them. With --check DIR, the kept shards are read again."""
import hashlib
import io
import json
import pathlib
import sys
import tarfile

try:
    import datasets
    import numpy as np
    import webdataset
    from PIL import Image
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

here = pathlib.Path(__file__).parent
urls = [str(here / f'shard-{i:05}.tar') for i in range(4)]
captions = [
    'A red square.',
    'Un café à côté d’une fenêtre.',
    'Two dogs, one “ball”.',
    '一只猫坐在垫子上。',
]
types = ['jpg', 'png', 'webp', 'jpeg']


def image(seed, ending):
    pixels = np.random.default_rng(seed).integers(0, 256, (4, 4, 3), dtype=np.uint8)
    out = io.BytesIO()
    kind = {'jpg': 'JPEG', 'jpeg': 'JPEG', 'png': 'PNG', 'webp': 'WEBP'}[ending]
    Image.fromarray(pixels).resize((8, 8)).save(out, kind)
    return out.getvalue()


def archive(path, form, files):
    with tarfile.open(path, 'w', format=form) as out:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            out.addfile(entry, io.BytesIO(content))


def write():
    with webdataset.TarWriter(urls[0]) as out:
        for i, caption in enumerate(captions):
            out.write({'__key__': f'{i:06}', 'jpg': image(i, 'jpg'), 'txt': caption})
    long = '/'.join(['folder-of-images'] * 7)
    archive(
        urls[1],
        tarfile.USTAR_FORMAT,
        [
            (f'{long}/{i:06}.{ending}', content)
            for i, kind in enumerate(types)
            for ending, content in ((kind, image(10 + i, kind)), ('caption', captions[i].encode()))
        ],
    )
    # The keys of this shard are also those of the first.
    archive(
        urls[2],
        tarfile.GNU_FORMAT,
        [
            (f'{i:06}.{ending}', content)
            for i in range(3)
            for ending, content in (
                ('json', json.dumps({'caption': captions[i], 'width': 8, 'tags': ['a', 'b']}).encode()),
                ('PNG', image(20 + i, 'png')),
                ('seg.npy', b'not read'),
            )
        ]
        + [
            (f'{"very-long-name-" * 12}{i}.{ending}', content)
            for i in range(2)
            for ending, content in (('jpg', image(24 + i, 'jpg')), ('txt', captions[i].encode()))
        ],
    )
    archive(
        urls[3],
        tarfile.PAX_FORMAT,
        [
            (f'./ünïcode/{"長" * 40}/{i}.{ending}', content)
            for i in range(3)
            for ending, content in (('webp', image(30 + i, 'webp')), ('txt', captions[i].encode()))
        ],
    )


def caption_of(sample):
    for ending in ('txt', 'caption'):
        if ending in sample:
            return sample[ending].decode()
    return json.loads(sample['json'])['caption']


def hash_of(sample):
    return hashlib.sha256(next(sample[kind] for kind in types if kind in sample)).hexdigest()


def by_webdataset(url):
    samples = webdataset.WebDataset(url, shardshuffle=False, empty_check=False)
    return [dict(key=one['__key__'], caption=caption_of(one), sha256=hash_of(one)) for one in samples]


def by_datasets(url):
    rows = datasets.load_dataset('webdataset', data_files={'train': [url]}, split='train', streaming=True)
    rows = rows.cast_column('jpg', datasets.Image(decode=False))
    return [
        dict(key=row['__key__'], caption=row['txt'], sha256=hashlib.sha256(row['jpg']['bytes']).hexdigest())
        for row in rows
    ]


check = sys.argv[1:2] == ['--check']
if not check:
    write()
out = dict(
    versions=dict(webdataset=webdataset.__version__, datasets=datasets.__version__),
    shards=[by_webdataset(url) for url in urls],
    datasets=by_datasets(urls[0]),
)
folder = pathlib.Path(sys.argv[2]) if check else here
(folder / 'webdataset.json').write_text(json.dumps(out, indent=1, ensure_ascii=False) + '\n')
