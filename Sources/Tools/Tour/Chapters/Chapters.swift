extension Tour {
    /// In the order of the tour. Each chapter resets the desk itself, so that a failure affects no other chapter.
    static var chapters: [Chapter] {
        [
            home, stranger, firstSight, controls, switcher, shelf, edges, splitView, slideOver, picture, spaces, screen, fitting, unaware,
            asked, input, web, x11, trouble, modal, life,
            notifications, onScreenKeyboard, phone, television, watch, roundWatch, vision, kiosk, car, pointer, pointerAlone, keyboard,
            keyboardAlone, commands, freeDesk, looks, film,
        ]
    }
}
