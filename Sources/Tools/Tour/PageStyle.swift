extension Page {
    /// One column on a phone, as many as fit on a desk; light and dark as the reader's device is.
    static let style = """
        :root { color-scheme: light dark; --back: #f4f4f6; --card: #fff; --ink: #1b1c20; --soft: #62656d; --line: #dcdde2;
          --pass: #1a7f4b; --fail: #c4302b; --skip: #8a6d1b; }
        @media (prefers-color-scheme: dark) { :root { --back: #131417; --card: #1d1f24; --ink: #eceef2; --soft: #9ba0ab;
          --line: #31343c; --pass: #4cc486; --fail: #ff7b72; --skip: #d9b44a; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1.2rem clamp(.8rem, 3vw, 2.5rem) 4rem; max-width: 100rem; background: var(--back);
          color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        h1 { font-size: clamp(1.5rem, 4vw, 2.2rem); margin: .4rem 0; }
        h2 { margin: 2.6rem 0 .2rem; font-size: 1.45rem; }
        h3 { margin: 0; font-size: 1.02rem; line-height: 1.35; }
        p { margin: .3rem 0 .8rem; max-width: 60rem; }
        a { color: inherit; }
        i { font-style: normal; color: var(--soft); }
        .verdict { font-size: 1.25rem; font-weight: 650; }
        .verdict.pass { color: var(--pass); } .verdict.fail { color: var(--fail); }
        nav { display: flex; flex-wrap: wrap; gap: .4rem; margin: 1rem 0; }
        nav a { text-decoration: none; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: 1rem;
          background: var(--card); font-size: .9rem; }
        nav .pass b { color: var(--pass); } nav .fail b { color: var(--fail); } nav .skip b { color: var(--skip); }
        .rules { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .15rem 1.5rem;
          grid-template-columns: repeat(auto-fill, minmax(min(27rem, 100%), 1fr)); font-size: .9rem; }
        .rules li { display: flex; gap: .6rem; padding: .25rem 0; border-bottom: 1px solid var(--line); }
        .rules span { flex: 1; } .rules i { white-space: nowrap; }
        .rules .pass b { color: var(--pass); } .rules .fail b { color: var(--fail); } .rules .skip b { color: var(--skip); }
        .steps { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr));
          align-items: start; }
        article { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .9rem;
          overflow: hidden; }
        article.fail { border-color: var(--fail); }
        @media (min-width: 62rem) { article.wide { grid-column: span 2; } }
        .badge { font-size: .75rem; font-weight: 600; padding: .05rem .5rem; border-radius: .6rem; color: #fff;
          background: var(--pass); vertical-align: 1px; }
        .fail .badge { background: var(--fail); } .skip .badge { background: var(--skip); }
        @media (prefers-color-scheme: dark) { .badge { color: #131417; } }
        .chips { margin: .35rem 0 .6rem; }
        .chips span { font: .75rem ui-monospace, monospace; border: 1px solid var(--line); border-radius: .3rem;
          padding: 0 .35rem; color: var(--soft); }
        .trouble { color: var(--fail); overflow-wrap: anywhere; white-space: pre-line; }
        .skip .trouble { color: var(--skip); }
        .shots { display: grid; gap: .6rem; }
        .shots.n2, .shots.n3 { grid-template-columns: 1fr 1fr; }
        .shots.n3 figure:last-child:nth-child(odd) { grid-column: 1 / -1; }
        @media (max-width: 40rem) { .shots.n2, .shots.n3 { grid-template-columns: 1fr; } }
        figure { margin: 0; min-width: 0; }
        figure div { position: relative; border-radius: .4rem; overflow: hidden; border: 1px solid var(--line); }
        figure.upright div { max-width: 20rem; margin: 0 auto; }
        figure img { display: block; width: 100%; height: auto; }
        figure svg { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
        figcaption { font-size: .8rem; color: var(--soft); padding: .15rem .1rem; line-height: 1.3; }
        svg polyline { fill: none; stroke: #ff9f0a; stroke-width: 7; stroke-linecap: round; stroke-linejoin: round; }
        svg polyline.halo { stroke: rgba(0,0,0,.45); stroke-width: 11; }
        svg circle.start { fill: rgba(255,159,10,.25); stroke: #ff9f0a; stroke-width: 5; }
        svg circle.end { fill: rgba(255,159,10,.75); stroke: #fff; stroke-width: 4; }
        svg polygon { fill: #ff9f0a; stroke: rgba(0,0,0,.45); stroke-width: 2; }
        svg .pointer polyline { stroke: #32ade6; } svg .pointer polyline.halo { stroke: rgba(0,0,0,.45); }
        svg .pointer circle { stroke: #32ade6; fill: rgba(50,173,230,.35); }
        svg .pointer polygon { fill: #32ade6; }
        .actions { margin: .5rem 0; padding-left: 1.3rem; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
        details { font-size: .85rem; }
        summary { cursor: pointer; padding: .3rem 0; }
        .checks { list-style: none; margin: .2rem 0; padding: 0; }
        .checks li { padding: .2rem 0 .2rem 1.3rem; border-top: 1px solid var(--line); position: relative;
          overflow-wrap: anywhere; }
        .checks li i { display: block; }
        .checks li::before { content: "\\2713"; position: absolute; left: .1rem; color: var(--pass); font-weight: 700; }
        .checks li.fail::before { content: "\\2717"; color: var(--fail); }
        footer { margin-top: 3rem; color: var(--soft); font-size: .9rem; }
        """
}
