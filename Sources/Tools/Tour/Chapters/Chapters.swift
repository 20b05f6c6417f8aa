extension Tour {
    /// In the order of the tour. A chapter clears the desk for itself, so that one that fails spoils no other.
    static var chapters: [Chapter] {
        [
            home, stranger, firstSight, controls, switcher, shelf, edges, splitView, slideOver, picture, spaces, screen, fitting, unaware, asked, input, web, x11, trouble,
            onScreenKeyboard, pointer, pointerAlone, keyboard, keyboardAlone, commands, looks, film,
        ]
    }
}
