import { describe, expect, it } from 'vitest';
import { createClipTokenizer } from './clip-tokenizer.ts';

/**
 * The part of CLIP's vocabulary (openai/CLIP, bpe_simple_vocab_16e6.txt) that the prompts below use: every merge whose
 * result occurs in a word of these prompts, in the original order, and with the original ids.
 */
const merges =
  "i n,in g</w>,s t,e n,a t,i t,t o</w>,i c,a t</w>,o f</w>,s t</w>,s e,' s</w>,u n,m a,t o,i t</w>,a s,l y</w>,a g,h o,s e</w>,d o,in g,r u,o f,c e,n i,f i,en t,p h,n ing</w>,c a,f a,p ho,pho to</w>,pho to,ma g,a st</w>,l y,c en,g s</w>,c at,r un,t ly</w>,â ĺ,a st,c ent,f ic,o t,fa st</w>,c at</w>,g n,ic e,run ning</w>,ho t,ent ly</w>,do gs</w>,do g,ni fic,f as,g ni,n g</w>,n in,to y</w>,n ing,o y,i f,fa st,n n,mag nific,mag n,n g,Ã ¤,n t,o g,o y</w>,âĺ Ĩ</w>,t l,to y,o to</w>,âĺ Ĩ,o to,mag ni,run ning,g s,ag n,t ly,dog s,un ning</w>".split(
    ',',
  );
const numbers =
  "!=0 <|startoftext|>=49406 <|endoftext|>=49407 a</w>=320 p=79 h=71 o=78 t=83 o</w>=334 f</w>=325 c=66 a=64 t</w>=339 i=72 '=6 s</w>=338 y</w>=344 ,</w>=267 r=81 u=84 n=77 g</w>=326 f=69 s=82 !</w>=256 2</w>=273 d=67 g=70 m=76 e=68 l=75 k=74 Ã=127 ¤=97 e</w>=324 5</w>=276 0</w>=271 %</w>=260 â=158 ĺ=246 Ĩ</w>=484 in=512 ing</w>=519 st=522 en=524 at=527 it=529 to</w>=531 ic=535 at</w>=536 of</w>=539 st</w>=545 se=567 's</w>=568 un=569 ma=577 to=580 it</w>=585 as=587 ly</w>=597 ag=602 ho=606 se</w>=611 do=639 ing=653 ru=681 of=684 ce=685 ni=697 fi=701 ent=724 ph=745 ning</w>=762 ca=772 fa=778 pho=816 photo</w>=1125 photo=1153 mag=1191 ast</w>=1242 ly=1251 cen=1306 gs</w>=1345 cat=1481 run=1639 tly</w>=1646 âĺ=1741 ast=1761 cent=1784 fic=1788 ot=1863 fast</w>=1953 cat</w>=2368 gn=2455 ice=2739 running</w>=2761 hot=2851 ently</w>=2922 dogs</w>=3255 dog=4326 nific=4748 fas=4830 gni=5104 ng</w>=5215 nin=5794 toy</w>=5988 ning=6050 oy=6638 if=8063 fast=8509 nn=8947 magnific=9725 magn=10290 ng=10352 Ã¤=10896 nt=10902 og=11542 oy</w>=12437 âĺĨ</w>=13439 tl=14325 toy=14387 oto</w>=23399 âĺĨ=23941 oto=23946 magni=24297 running=24451 gs=25818 agn=36474 tly=37483 dogs=42182 unning</w>=43282";
const ids = new Map(
  numbers.split(' ').map((entry): [string, number] => {
    const at = entry.lastIndexOf('=');
    return [entry.slice(0, at), Number(entry.slice(at + 1))];
  }),
);
const clip = { ids, merges, length: 77, padding: '!' };
const tokenize = createClipTokenizer(clip);
/** Token ids of a prompt, without the padding. */
const read = (prompt: string): number[] => {
  const all = tokenize(prompt).ids;
  return all.slice(0, all.indexOf(49407) + 1);
};

describe('a CLIP prompt', () => {
  // The first three are published in tests of ports of CLIP. The others were compared with @huggingface/tokenizers
  // 0.2.0, as were 5,000 random texts with the whole vocabulary.
  it.each([
    ['a photo of a cat', [320, 1125, 539, 320, 2368]],
    ["it's a cat's toy, running   fast", [585, 568, 320, 2368, 568, 5988, 267, 2761, 1953]],
    ['magnificently', [9725, 2922]],
    ['', []],
    ['A\u2003CAT', [320, 2368]],
    ['2 dogs', [273, 3255]],
    ['Käse 50%', [74, 10896, 611, 276, 271, 260]],
    ['Ka\u0308se', [74, 10896, 611]],
    ['☆', [13439]],
  ])('%j has its known token ids between the start and end tokens', (prompt, numbersOfWords) => {
    expect(read(prompt)).toEqual([49406, ...numbersOfWords, 49407]);
  });

  it('is padded with its text encoder’s padding token', () => {
    expect(tokenize('a cat').ids).toEqual([49406, 320, 2368, 49407, ...Array.from({ length: 73 }, () => 0)]);
    const openai = createClipTokenizer({ ...clip, length: 6, padding: '<|endoftext|>' });
    expect(openai('a cat').ids).toEqual([49406, 320, 2368, 49407, 49407, 49407]);
  });

  it('keeps its end token if the prompt is too long, and reports the truncation', () => {
    const words = (count: number) => tokenize('cat '.repeat(count));
    expect(words(75)).toMatchObject({ isCut: false });
    const { ids: long, isCut } = words(76);
    expect(isCut).toBe(true);
    expect(long).toHaveLength(77);
    expect(long.slice(0, 2).concat(long.slice(-2))).toEqual([49406, 2368, 2368, 49407]);
  });

  it('gets no second start token if its text contains the start token literally', () => {
    const { ids: spelled } = createClipTokenizer({
      ...clip,
      ids: new Map([...ids, ['<|</w>', 1], ['|></w>', 2]]),
      merges: [...merges, '< |</w>', '| ></w>'],
    })('cat <|startoftext|> cat');
    expect(spelled.filter((id) => id === 49406)).toHaveLength(1);
  });

  it('needs a vocabulary with start and end tokens', () => {
    expect(() => createClipTokenizer({ ...clip, ids: new Map([['!', 0]]) })).toThrow(
      /lacks <\|startoftext\|>/,
    );
  });
});
